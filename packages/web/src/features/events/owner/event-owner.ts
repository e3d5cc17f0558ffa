import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events/events'
import type { Me, User } from '@benchwatch/contract/users/users'
import { SYSTEM_OWNER, SYSTEM_OWNER_LABEL } from '@benchwatch/contract/vocabulary'
import { folded } from '../../../lib/folded.ts'

/**
 * Rules for owning events: who may take one and what the owner may do. Document 1 sections 4 and 6, 3-decisions 4.
 *
 * The screen uses these rules to decide what to offer; the server checks again.
 */

/** The signed-in user, as far as the rules need to know. */
export type Viewer = Pick<Me, 'id' | 'role'>

/** Returns 'Me', the owner's name, 'Automatic' for the system, or 'None'. */
export function ownerLabel(event: Pick<ServiceEvent, 'claimedBy' | 'claimedByName'>, viewer: Viewer): string {
  if (event.claimedBy === null) return 'None'
  if (event.claimedBy === viewer.id) return 'Me'
  if (event.claimedBy === SYSTEM_OWNER) return SYSTEM_OWNER_LABEL
  return event.claimedByName ?? '(No name configured)'
}

/** Only the owner may change the status. */
export function mayChangeStatus(event: ServiceEvent, viewer: Viewer): boolean {
  return event.claimedBy === viewer.id
}

/** Explains why the user may not `act`, and what to do about it if anything can be done. */
export function whyNotOwner(event: ServiceEvent, { viewer, act }: { viewer: Viewer; act: string }): string {
  const rule = `Only the owner may ${act}`
  if (mayChangeOwner(event)) return `${rule}. Assign the event to yourself first.`
  return `${rule}: ${ownerLabel(event, viewer)}.`
}

/** A closed event keeps its owner. */
export function mayChangeOwner(event: ServiceEvent): boolean {
  return event.alertStatus !== '3_CLOSED'
}

/**
 * True if the user may correct comment and case fields of a closed event: the owner, or, if the system owns it, any
 * user but customers.
 */
export function mayCorrect(event: ServiceEvent, viewer: Viewer): boolean {
  if (event.alertStatus !== '3_CLOSED') return false
  if (event.claimedBy === SYSTEM_OWNER) return viewer.role !== 'customer'
  return event.claimedBy === viewer.id
}

/** True if the user is in the user list and does not own the event yet. */
export function mayAssignToMe(event: ServiceEvent, viewer: Viewer, users: readonly User[]): boolean {
  return mayChangeOwner(event) && event.claimedBy !== viewer.id && users.some(({ id }) => id === viewer.id)
}

/** The next thing to do with an event: the one action of its row in the list, and the strong button of its page. */
export const primaryActions = { take: 'Assign to me', takeOver: 'Take over', close: 'Close…' } as const
type PrimaryAction = keyof typeof primaryActions

/**
 * Returns what the user most likely does next with the event; null if nothing is left to do or allowed. `mayOwn`: the
 * user is in the user list.
 */
export function primaryAction(
  event: Pick<ServiceEvent, 'alertStatus' | 'claimedBy'>,
  { viewer, mayOwn }: { viewer: Viewer; mayOwn: boolean },
): PrimaryAction | null {
  if (event.alertStatus === '3_CLOSED') return null
  if (event.claimedBy === viewer.id) return 'close'
  if (!mayOwn) return null
  return event.claimedBy === null ? 'take' : 'takeOver'
}

/**
 * Returns the users to whom the event can be assigned: all listed users except the current owner whose names match the
 * search.
 */
export function assignableUsers(
  users: readonly User[],
  event: Pick<ServiceEvent, 'claimedBy'>,
  search: string,
): User[] {
  const term = folded(search.trim())
  return users.filter(({ id, name }) => id !== event.claimedBy && folded(name).includes(term))
}

/** Assigns an owner. Only a New event also gets the flag that moves it to In progress. */
export function assignment(event: ServiceEvent, userId: string): ServiceEventChange {
  return event.alertStatus === '1_NEW' ? { claimedBy: userId, alertStatus: 'IN_PROGRESS' } : { claimedBy: userId }
}

/** Returns the event as the assignment leaves it. A live message may have brought the owner or the status already. */
export function assigned(event: ServiceEvent, userId: string): ServiceEvent {
  return {
    ...event,
    claimedBy: userId,
    alertStatus: event.alertStatus === '1_NEW' ? '2_IN_PROGRESS' : event.alertStatus,
  }
}
