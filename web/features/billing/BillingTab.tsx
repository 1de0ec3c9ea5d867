import type { ProjectIds } from '#web/lib/project.ts'

type Props = { ids: ProjectIds; zone: string; page: number; onPage: (page: number) => void; choosing: boolean; onChoosing: (on: boolean) => void }

/** The plan, what it costs and how it is paid. */
export function BillingTab(_props: Props) {
  return null
}
