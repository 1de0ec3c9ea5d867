import { toast } from '#web/ui/toast.ts'

/** Puts text on the clipboard and says so; where the browser refuses, says what to do instead. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    // missing on pages that came over plain http
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error('Your browser blocked copying. Select the text and copy it manually.')
  }
}
