import type { ReactNode } from 'react'
import { Avatar } from './Avatar.tsx'
import { Badge } from './Badge.tsx'

type Props = {
  name: string
  pictureUrl: string | null
  isYou: boolean
  /** More badges after the name. */
  badges?: ReactNode
  /** What is below the name. */
  children?: ReactNode
}

/** A person in a table of people: picture, name and badges. */
export function PersonName({ name, pictureUrl, isYou, badges, children }: Props) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} src={pictureUrl} size={30} />
      <span className="grid min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <bdi dir="auto" className="truncate font-semibold" title={name}>
            {name}
          </bdi>
          {isYou ? <Badge>You</Badge> : null}
          {badges}
        </span>
        {children}
      </span>
    </span>
  )
}
