import { Page } from '#web/ui/Page.tsx'

export default function CalendarScreen() {
  return <Page title="Calendar">This screen is not here yet.</Page>
}
