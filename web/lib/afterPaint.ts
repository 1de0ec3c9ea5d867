/**
 * Runs what a click asked for after the click itself has been shown: the pressed button paints first, the work of a new
 * page follows. Keeps slow machines responding within a frame.
 */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run))
}
