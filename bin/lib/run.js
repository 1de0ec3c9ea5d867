import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onAbandoned, startedBy } from './abandoned.js'
import { at, packagedNode, root } from './places.js'

/** The packaged Node first on the PATH, so that a tool that runs `node` gets it too. */
export function environment(more = {}) {
  return { ...process.env, PATH: `${dirname(packagedNode())}${delimiter}${process.env.PATH ?? ''}`, ...more }
}

/**
 * Runs a command and waits. With `capture` its output is kept, with `tee` kept and shown, otherwise it is shown.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { capture = false, tee = false, env = process.env, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: capture || tee ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
    let output = ''
    const keep = (chunk) => {
      output += chunk
      if (tee) process.stdout.write(chunk)
    }
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    child.once('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }))
    child.once('close', (code, signal) => resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), output }))
  })
}

const compileCache = () => at('node_modules', '.cache', 'rookery-compile')

/** Runs a file of ours on the packaged Node and waits. What it starts finds its code compiled as well. */
export const runNode = (args, options = {}) =>
  run(packagedNode(), args, { ...options, env: environment({ NODE_COMPILE_CACHE: compileCache(), ...options.env }) })

const leash = () => pathToFileURL(at('bin', 'lib', 'leash.js')).href

/**
 * Becomes the program: it replaces this process if Node can do that; otherwise it runs as a child that gets our
 * signals, returns its exit code, and ends when we do. Either way it stops when npm, which may have started us, is
 * gone.
 */
export async function become(args, more = {}) {
  const env = environment({ NODE_COMPILE_CACHE: compileCache(), ...more })
  const replace = process.platform !== 'win32' && typeof process.execve === 'function'
  if (replace) {
    process.removeAllListeners('warning')
    process.chdir(root)
    const noted = { ...env, ...startedBy() }
    process.execve(packagedNode(), [packagedNode(), '--import', leash(), ...args], noted)
  }
  process.exitCode = await hold(start(args, env))
}

/** Starts a program on the packaged Node as a child that ends when we are gone. */
export function start(args, env = environment()) {
  return spawn(packagedNode(), ['--import', leash(), ...args], {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
}

/** Passes our signals on to a child, waits for its end and returns its exit code. */
export function hold(child) {
  const forward = (signal) => child.kill(signal)
  // Ctrl-C reaches the child directly, because it's in the terminal's process group
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  process.on('SIGINT', onTerminal ? () => {} : forward)
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
  onAbandoned(() => forward('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
