/**
 * Runs what a click asked for once the click itself has been shown: the pressed button paints first, the work of a new
 * page follows. Keeps slow machines answering within a frame.
 */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run))
}
