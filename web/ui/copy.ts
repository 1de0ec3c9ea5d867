import { toast } from './toast.ts'

/** Copies text to the clipboard and says so; if the browser refuses, says what to do instead. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    // missing on pages over plain HTTP
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error('Your browser blocked copying. Select the text and copy it manually.')
  }
}
