import { expect, it } from 'vitest'
import { networkOf } from '../http/attempts.ts'

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['2600:1f18::1', '2600:1f18:0:0::/64'],
  ['2600:1F18:0000:0000:ffff:ffff:ffff:ffff', '2600:1f18:0:0::/64'],
  ['2600:1f18:0:1::1', '2600:1f18:0:1::/64'],
  ['fe80::1:2%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['', ''],
])('counts %s as %s', (address, network) => expect(networkOf(address)).toBe(network))
