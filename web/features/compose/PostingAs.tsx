import type { LookupKind } from '#contract/platforms/rules.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useLookupAccount } from './useLookup.ts'

/** The account that publishes the post, as the platform shows it; nothing while that isn't known. */
export function PostingAs({ channelId, kind }: { channelId: string; kind: LookupKind }) {
  const account = useLookupAccount(channelId, kind)
  if (!account) return null
  return (
    <p className="flex items-center gap-2 text-sm">
      <Avatar name={account.name} src={account.pictureUrl} size={24} />
      <span>
        Posting as <strong>{account.name}</strong>
      </span>
    </p>
  )
}
