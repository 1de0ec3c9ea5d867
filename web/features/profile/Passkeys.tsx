import KeyRound from 'lucide-react/icons/key-round'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { z } from 'zod'
import { deletePasskey, type Passkey as PasskeySchema } from '#contract/secondFactor.ts'
import { localZone } from '#web/lib/dates.ts'
import { agoOf, dateOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { AddPasskey } from './AddPasskey.tsx'

type Passkey = z.infer<typeof PasskeySchema>

/** A person's passkeys: listed, added, deleted. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const zone = localZone()
  const now = useNow()
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey>()
  const remove = useSend(deletePasskey, {
    onSuccess: () => {
      toast.success('Passkey deleted')
      setLeaving(undefined)
    },
  })
  const known = typeof window.PublicKeyCredential === 'function'
  return (
    <div className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <KeyRound size={16} aria-hidden className="shrink-0 text-ink-muted" />
        <h3 className="font-semibold">Passkeys</h3>
        {known ? (
          <Button size="s" onClick={() => setAdding(true)} className="ml-auto">
            Add passkey
          </Button>
        ) : null}
      </div>
      <p className="text-sm text-pretty text-ink-muted">
        {known
          ? 'Log in with your fingerprint, face or screen lock instead of a password and code.'
          : "Passkeys aren't available because this page isn't on https."}
      </p>
      {passkeys.length > 0 ? (
        <ul aria-label="Passkeys" className="-mb-1 divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.passkeyId} className="flex items-center gap-3 py-2">
              <span className="grid min-w-0 grow">
                <span dir="auto" className="truncate font-medium">
                  {passkey.name}
                </span>
                <span className="tnum text-sm text-ink-muted">
                  Added {dateOf(passkey.createdAt, zone)},{' '}
                  {passkey.lastUsedAt ? `last used ${agoOf(passkey.lastUsedAt, now, zone)}` : 'not used yet'}
                </span>
              </span>
              <IconButton
                label={`Delete passkey: ${passkey.name}`}
                tone="danger"
                icon={<Trash2 size={15} />}
                onClick={() => setLeaving(passkey)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {adding ? <AddPasskey onEnd={() => setAdding(false)} /> : null}
      {leaving ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => (open ? undefined : setLeaving(undefined))}
          title="Delete this passkey?"
          action="Delete passkey"
          loading={remove.isPending}
          onConfirm={() => remove.mutate({ params: { passkeyId: leaving.passkeyId } })}
        >
          {leaving.name} won't log you in anymore. Your browser or password manager may still offer it until you delete
          it there too.
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
