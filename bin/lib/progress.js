/**
 * A task that takes a while, in plain words: on a terminal one line that is written over, elsewhere a line every 15 s.
 * @param {string} words what is being done
 * @returns {{ done(): void, failed(): void }}
 */
export function progress(words) {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const live = process.stdout.isTTY
  const line = () => `${words}… ${seconds()} s`
  process.stdout.write(live ? line() : `${words}…\n`)
  const timer = setInterval(() => process.stdout.write(live ? `\r\x1b[K${line()}` : `${line()}\n`), live ? 500 : 15_000)
  const end = (word) => {
    clearInterval(timer)
    process.stdout.write(`${live ? '\r\x1b[K' : ''}${words}: ${word} after ${seconds()} s\n`)
  }
  return { done: () => end('done'), failed: () => end('failed') }
}
