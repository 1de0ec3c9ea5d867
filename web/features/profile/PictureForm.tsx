import { useRef, useState } from 'react'
import { type User } from '#contract/identity.ts'
import { removePicture } from '#contract/profile.ts'
import { useSend } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'
import { CropDialog } from './CropDialog.tsx'
import { readPicture } from './picture.ts'

/** A person's picture: chosen from a file, cropped, removed. */
export function PictureForm({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap>()
  const [problem, setProblem] = useState<string>()
  const remove = useSend(removePicture, {
    onSuccess: () => toast.success('Picture removed'),
  })
  const name = `${user.firstName} ${user.lastName}`.trim() || user.email

  const choose = async (file: File | undefined) => {
    setProblem(undefined)
    if (!file) return
    const read = await readPicture(file)
    if ('problem' in read) setProblem(read.problem)
    else setPicture(read.picture)
  }

  return (
    <div className="mb-5 flex items-center gap-4">
      <Avatar name={name} src={user.profileUrl} size={64} />
      <div className="grid min-w-0 gap-1.5">
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            accept="image/*"
            hidden
            data-picture
            onChange={(event) => {
              void choose(event.target.files?.[0])
              // choosing the same file again must count as a change
              event.target.value = ''
            }}
          />
          <Button onClick={() => input.current?.click()}>
            {user.profileUrl ? 'Change picture' : 'Choose picture'}
          </Button>
          {user.profileUrl ? (
            <Button tone="quiet" loading={remove.isPending} onClick={() => remove.mutate({})}>
              Remove
            </Button>
          ) : null}
        </div>
        {problem ? (
          <p role="alert" className="text-sm text-pretty text-bad">
            {problem}
          </p>
        ) : (
          <p className="text-sm text-ink-muted">JPEG, PNG or WebP. Your teammates can see it.</p>
        )}
      </div>
      {picture ? <CropDialog picture={picture} onEnd={() => setPicture(undefined)} /> : null}
    </div>
  )
}
