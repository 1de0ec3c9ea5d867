import { expect, it } from 'vitest'
import { readEnv } from './env.ts'

it('asks the public directory of accounts, the simulated one in development, or the one that is named', () => {
  expect(readEnv({}).plcDirectory).toBe('https://plc.directory')
  expect(readEnv({ SIMULATED_CHANNELS: '1', SIMULATOR_PORT: '4456' }).plcDirectory).toBe('http://127.0.0.1:4456')
  expect(readEnv({ SIMULATED_CHANNELS: '1', PLC_DIRECTORY: 'https://plc.example.org' }).plcDirectory).toBe('https://plc.example.org')
  expect(() => readEnv({ PLC_DIRECTORY: 'plc.example.org' })).toThrow('PLC_DIRECTORY')
})

it('wants the model that an AI endpoint is asked for', () => {
  expect(readEnv({ AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'small' }).AI_MODEL).toBe('small')
  expect(() => readEnv({ AI_BASE_URL: 'http://127.0.0.1:11434/v1' })).toThrow('AI_MODEL')
})
