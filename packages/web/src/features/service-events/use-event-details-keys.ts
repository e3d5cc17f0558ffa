import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { usersQuery } from '../users/users.api.ts'
import { mayAssignToMe, type Viewer } from './event-owner.ts'
import { useEventActions } from './use-event-actions.ts'

/** Keyboard of one event; the sheet of `event-shortcuts.tsx` tells it to people. `event` undefined while it is read. */
export function useEventDetailsKeys(props: {
  event: ServiceEvent | undefined
  viewer: Viewer
  listAddress: Record<string, string>
}): void {
  const { event, viewer } = props
  const { data: users = [] } = useQuery(usersQuery())
  const { assign, isPending } = useEventActions(viewer)
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/events', search: props.listAddress })

  useShortcuts({
    a: () => {
      const me = users.find(({ id }) => id === viewer.id)
      if (event && me && !isPending && mayAssignToMe(event, viewer, users)) void assign(event, me)
    },
    // The form of sharing belongs to its button, which declares the key.
    s: () => document.querySelector<HTMLElement>('[aria-keyshortcuts="s"]')?.click(),
    u: back,
    Escape: back,
  })
}
