import Smartphone from 'lucide-react/icons/smartphone'
import { useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { disableTotp, newRecoveryCodes, type mySecurity } from '#contract/secondFactor.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { count } from '#web/lib/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'
import { AuthenticatorSetup } from './AuthenticatorSetup.tsx'
import { PasswordDialog, usePassword } from './PasswordDialog.tsx'
import { useKeptCodes } from './useKeptCodes.tsx'
import { atPassword, passwordRefusals } from './wrongPassword.ts'

type Security = ReplyOf<typeof mySecurity>

/** Fewer recovery codes than this are a reason to create new ones. */
const FEW_CODES = 3

/** The authenticator app as a second step of every login with a password: off, or on with its recovery codes. */
export function SecondFactor({ security }: { security: Security }) {
  const [open, setOpen] = useState<'setup' | 'disable' | 'codes'>()
  const end = () => setOpen(undefined)
  const left = security.recoveryCodesLeft
  return (
    <div className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Smartphone size={16} aria-hidden className="shrink-0 text-ink-muted" />
        <h3 className="font-semibold">Authenticator app</h3>
        {security.totp ? <Badge tone="ok">On</Badge> : <Badge>Off</Badge>}
        <span className="ml-auto flex flex-wrap gap-2">
          {security.totp ? (
            <>
              <Button size="s" onClick={() => setOpen('codes')}>
                New recovery codes
              </Button>
              <Button size="s" tone="quiet" onClick={() => setOpen('disable')}>
                Turn off
              </Button>
            </>
          ) : (
            <Button size="s" onClick={() => setOpen('setup')}>
              Set up
            </Button>
          )}
        </span>
      </div>
      <p className={left < FEW_CODES && security.totp ? 'text-sm text-wait' : 'text-sm text-pretty text-ink-muted'}>
        {security.totp
          ? `${count(left, 'recovery code')} left.${left < FEW_CODES ? ' Make new ones before they run out.' : ''}`
          : "When you log in, we'll ask for a code from your phone after your password."}
      </p>
      {open === 'setup' ? <AuthenticatorSetup onEnd={end} /> : null}
      {open === 'disable' ? <Disable onEnd={end} /> : null}
      {open === 'codes' ? <NewCodes onEnd={end} /> : null}
    </div>
  )
}

function Disable({ onEnd }: { onEnd: () => void }) {
  const form = usePassword()
  const disable = useFormSend(disableTotp, form, {
    handles: passwordRefusals,
    onFailure: atPassword(form, 'password'),
    onSuccess: () => {
      toast.success('Authenticator app turned off')
      onEnd()
    },
  })
  return (
    <PasswordDialog
      form={form}
      title="Turn the authenticator app off?"
      action="Turn off"
      danger
      pending={disable.isPending}
      onSubmit={(password) => disable.mutate({ body: { password } })}
      onEnd={onEnd}
    >
      You'll log in with just your password, and your recovery codes will stop working.
    </PasswordDialog>
  )
}

function NewCodes({ onEnd }: { onEnd: () => void }) {
  const codes = useKeptCodes('Your new recovery codes', onEnd)
  const form = usePassword()
  const make = useFormSend(newRecoveryCodes, form, {
    handles: [...passwordRefusals, 'INVALID_CODE'],
    onFailure: atPassword(form, 'password'),
    onSuccess: ({ recoveryCodes }) => codes.show(recoveryCodes),
  })
  return (
    <PasswordDialog
      form={form}
      title="Make new recovery codes?"
      action="Make new codes"
      pending={make.isPending}
      onSubmit={(password) => make.mutate({ body: { password } })}
      onEnd={onEnd}
      next={codes.step}
    >
      You'll get ten new codes. The old ones will stop working.
    </PasswordDialog>
  )
}
