import { ConnectionTemplates } from '../../features/administration/connection-templates.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/connection-events: what events say about gateways and instruments that fell silent. */
export function ConnectionEventsScreen() {
  return (
    <>
      <PageHeader
        title="Connection events"
        note="What the events say that are made of gateways and instruments silent for 10 minutes."
      />
      <ConnectionTemplates />
    </>
  )
}
