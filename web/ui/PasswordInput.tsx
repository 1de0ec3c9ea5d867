import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { TextInput } from './TextInput.tsx'

type Props = Omit<ComponentProps<typeof TextInput>, 'type' | 'end'> & {
  /**
   * Shown while the field has the focus: the live list of requirements. Next to it, or above it if there's no room:
   * never over the following fields.
   */
  checklist?: ReactNode
}

export function PasswordInput({ checklist, ...rest }: Props) {
  const [shown, setShown] = useState(false)
  const listId = useId()
  return (
    <div className="group relative">
      <TextInput
        {...rest}
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        aria-describedby={checklist ? listId : undefined}
        end={
          <button
            type="button"
            aria-label={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
            className="grid size-7 place-items-center rounded-sm text-ink-muted hover:bg-hover hover:text-ink"
          >
            {shown ? <EyeOff size={15} /> : <Eye size={15} />}
          </button>
        }
      />
      {checklist ? (
        <div
          id={listId}
          className="absolute inset-x-0 bottom-full z-20 mb-7 hidden rounded-md border border-line bg-raised p-3 shadow-2 group-has-[input:focus]:block lg:inset-x-auto lg:top-0 lg:bottom-auto lg:left-full lg:mb-0 lg:ml-3 lg:w-58"
        >
          {checklist}
        </div>
      ) : null}
    </div>
  )
}
