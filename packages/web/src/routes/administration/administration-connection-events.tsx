import { ConnectionTemplates } from '../../features/administration/connection-templates.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/connection-events: the texts of events about gateways and instruments that lost their connection. */
export function ConnectionEventsScreen() {
  return (
    <>
      <PageHeader
        title="Connection events"
        note="Texts of the events for gateways and instruments that have not reported for 10 minutes."
      />
      <ConnectionTemplates />
    </>
  )
}
