import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events'
import type { Me, User } from '@benchwatch/contract/users'
import { SYSTEM_OWNER, SYSTEM_OWNER_LABEL } from '@benchwatch/contract/vocabulary'
import { folded } from '../../lib/folded.ts'

/**
 * Who owns an event, who may take it and what the owner may do: document 1 sections 4 and 6, 3-decisions 4.
 *
 * These rules decide what the screen offers; the server decides again what it accepts.
 */

/** The signed-in person as the rules need them. */
export type Viewer = Pick<Me, 'id' | 'role'>

/** 'Me', the owner's name, 'Automatic' for the system, or 'None'. */
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

/** Why somebody who is not the owner can't `act`, and what to do about it where something can be done. */
export function whyNotOwner(event: ServiceEvent, { viewer, act }: { viewer: Viewer; act: string }): string {
  const rule = `Only the owner may ${act}`
  if (mayChangeOwner(event)) return `${rule}. Assign the event to yourself first.`
  return `${rule}: ${ownerLabel(event, viewer)}.`
}

/** A closed event keeps its owner. */
export function mayChangeOwner(event: ServiceEvent): boolean {
  return event.alertStatus !== '3_CLOSED'
}

/** Comment and case fields of a closed event: its owner; where the system owns it, everybody but customers. */
export function mayCorrect(event: ServiceEvent, viewer: Viewer): boolean {
  if (event.alertStatus !== '3_CLOSED') return false
  if (event.claimedBy === SYSTEM_OWNER) return viewer.role !== 'customer'
  return event.claimedBy === viewer.id
}

/** 'Assign to me' is offered to a person of the user list who does not own the event yet. */
export function mayAssignToMe(event: ServiceEvent, viewer: Viewer, users: readonly User[]): boolean {
  return mayChangeOwner(event) && event.claimedBy !== viewer.id && users.some(({ id }) => id === viewer.id)
}

/** Whom else the event may be given to: listed users but the current owner, narrowed by a search in their names. */
export function assignableUsers(
  users: readonly User[],
  event: Pick<ServiceEvent, 'claimedBy'>,
  search: string,
): User[] {
  const wanted = folded(search.trim())
  return users.filter(({ id, name }) => id !== event.claimedBy && folded(name).includes(wanted))
}

/** A new owner makes a New event In progress; the flag is sent only then. */
export function assignment(event: ServiceEvent, userId: string): ServiceEventChange {
  return event.alertStatus === '1_NEW' ? { claimedBy: userId, alertStatus: 'IN_PROGRESS' } : { claimedBy: userId }
}
