import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SelectedEvents } from '../events/list/event-list-request.ts'
import type { Viewer } from '../events/owner/event-owner.ts'
import { usersQuery } from '../users/users.api.ts'
import { useBulkTask } from './bulk-changes.api.ts'
import { askForBulkChange, beginBulkChange, changeBulkInFlight, useBulkInFlight } from './bulk-in-flight.ts'
import { type BulkKind, isFewRows } from './bulk-request.ts'

/** Actions for all selected events. While a bulk change runs in a hidden dialog, a button that shows it again. */
export function BulkActions({ selected, viewer }: { selected: SelectedEvents; viewer: Viewer }) {
  const inFlight = useBulkInFlight()
  const { data: users = [] } = useQuery(usersQuery())
  const { mutate: makeTask, isPending } = useBulkTask(viewer)
  function choose(kind: BulkKind) {
    if (isPending) return
    // A claim that can be undone needs no question.
    const start = kind === 'take' && isFewRows(selected) ? beginBulkChange : askForBulkChange
    makeTask({ kind, selected }, { onSuccess: (task) => start(task, viewer) })
  }
  if (inFlight?.isHidden) return <Button onClick={() => changeBulkInFlight({ isHidden: false })}>Show progress</Button>
  return (
    <>
      {/* Only users in the user list can own events: document 1 section 6. */}
      {users.some(({ id }) => id === viewer.id) && (
        <Button variant="default" onClick={() => choose('take')}>
          Assign to me
        </Button>
      )}
      <Button variant="default" onClick={() => choose('assign')}>
        Assign…
      </Button>
      <Button variant="default" onClick={() => choose('close')}>
        Close…
      </Button>
    </>
  )
}
