import 'altcha/external'
import 'altcha/altcha.css'
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker'
import ShaWorker from 'altcha/workers/sha?worker'

// workers with an address of their own: the strict content security policy allows no scripts made from text
for (const bits of ['256', '384', '512']) {
  globalThis.$altcha.algorithms.set(`PBKDF2/SHA-${bits}`, () => new Pbkdf2Worker())
  globalThis.$altcha.algorithms.set(`SHA-${bits}`, () => new ShaWorker())
}
