import type { ServiceEvent } from '@benchwatch/contract/events'
import { lazy } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { LazyPart } from '../../../ui/layout/lazy-part.tsx'
import { KeyedLogs } from '../../logs/viewer/view-logs.tsx'
import type { Viewer } from '../event-owner.ts'

export const loadDescription = () => import('../details/event-description.tsx')
const EventDescription = lazy(() => loadDescription().then((file) => ({ default: file.EventDescription })))
const CloseEventDialog = lazy(() =>
  import('../close/close-event-dialog.tsx').then((file) => ({ default: file.CloseEventDialog })),
)
const DropdownFrame = lazy(() =>
  import('../../../ui/overlay/dropdown-frame.tsx').then((file) => ({ default: file.DropdownFrame })),
)
const EmailList = lazy(() => import('../../event-emails/email-list.tsx').then((file) => ({ default: file.EmailList })))

/** A panel that a press or a key opens over the list, for one row. */
export type RowPanelKind = 'describe' | 'close' | 'logs' | 'emails'

/** The open panel of one row. `anchor` is in the row; it gets the focus back. */
export function RowPanel(props: {
  kind: RowPanelKind
  event: ServiceEvent
  viewer: Viewer
  anchor: HTMLElement
  onClose: () => void
}) {
  const { kind, event, viewer, anchor } = props

  function close() {
    props.onClose()
    anchor.focus({ preventScroll: true })
  }

  return (
    <LazyPart onFailure={close}>
      {kind === 'describe' && <EventDescription event={event} anchor={anchor} onClose={props.onClose} />}
      {kind === 'close' && <CloseEventDialog event={event} viewer={viewer} onDone={close} />}
      {kind === 'logs' && <KeyedLogs event={event} onClose={close} />}
      {kind === 'emails' && (
        <DropdownFrame
          anchor={anchor}
          title={`E-mails about ${eventName(event)}`}
          align="start"
          width={440}
          onClose={close}
        >
          <EmailList event={event} />
        </DropdownFrame>
      )}
    </LazyPart>
  )
}
