import { Button } from '#web/ui/Button.tsx'
import { Strip } from '#web/ui/Strip.tsx'
import { endOf, useKeep, type Dying } from './useKeep.ts'

/** Above every page of an organization that is being deleted: when it will be gone, and how to keep it. */
export default function DeletionStrip({ org, zone }: { org: Dying; zone: string }) {
  const keep = useKeep(org)
  return (
    <Strip
      label="Deletion"
      tone="bad"
      title={`${org.orgName} will be deleted on ${endOf(org.deletesAt, zone)}.`}
      text="Until then, nothing is published, and only its admins can open it."
    >
      <Button size="s" loading={keep.isPending} onClick={keep.run} className="my-0.5">
        Cancel deletion
      </Button>
    </Strip>
  )
}
