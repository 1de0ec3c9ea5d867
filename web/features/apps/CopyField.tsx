import Copy from 'lucide-react/icons/copy'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

/** A text that has to be entered somewhere else exactly as it is. */
export function CopyField({ label, hint, text }: { label: string; hint: string; text: string }) {
  return (
    <Field label={label} hint={hint}>
      <TextInput
        readOnly
        value={text}
        onFocus={(event) => event.target.select()}
        end={
          <IconButton
            label={`Copy ${label.toLowerCase()}`}
            size="s"
            icon={<Copy size={14} />}
            onClick={() => void copy(text)}
          />
        }
      />
    </Field>
  )
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('Copied')
  } catch {
    // plain http, or denied by the person: the field can still be selected and copied
    toast.warning('Your browser blocked copying. Select the text and copy it manually.')
  }
}
