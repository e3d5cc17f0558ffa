import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Viewer } from '../service-events/event-owner.ts'
import type { SelectedEvents } from '../service-events/event-selection.ts'
import { usersQuery } from '../users/users.api.ts'
import type { BulkKind } from './bulk-words.ts'

/**
 * What can be done with all selected events at once. While such a change is under way out of sight, the way back to it.
 */
export function BulkActions(props: {
  selected: SelectedEvents
  viewer: Viewer
  isUnderWay: boolean
  onChoose: (kind: BulkKind, selected: SelectedEvents) => void
  onShowProgress: () => void
}) {
  const { selected, viewer, onChoose } = props
  const { data: users = [] } = useQuery(usersQuery())
  if (props.isUnderWay) return <Button onClick={props.onShowProgress}>Show progress</Button>
  return (
    <>
      {/* Only who is in the user list may be an owner: document 1 section 6. */}
      {users.some(({ id }) => id === viewer.id) && (
        <Button variant="default" onClick={() => onChoose('take', selected)}>
          Assign to me
        </Button>
      )}
      <Button variant="default" onClick={() => onChoose('assign', selected)}>
        Assign…
      </Button>
      <Button variant="default" onClick={() => onChoose('close', selected)}>
        Close…
      </Button>
    </>
  )
}
