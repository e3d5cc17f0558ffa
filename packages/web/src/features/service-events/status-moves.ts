import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { type AlertStatus, alertStatusLabels } from '@benchwatch/contract/vocabulary'

/**
 * Which statuses the dropdown offers: document 1 section 4.
 * New only while New, where a click does nothing; In progress only from New; Closed always, through the dialog.
 */

export interface StatusMove {
  to: AlertStatus
  label: string
  /** `none`: where the event already is. `move`: sent at once. `close`: opens the close dialog. */
  effect: 'none' | 'move' | 'close'
}

export function offeredMoves(event: Pick<ServiceEvent, 'alertStatus'>): StatusMove[] {
  const closed = move('3_CLOSED', 'close')
  if (event.alertStatus === '1_NEW') return [move('1_NEW', 'none'), move('2_IN_PROGRESS', 'move'), closed]
  if (event.alertStatus === '2_IN_PROGRESS') return [move('2_IN_PROGRESS', 'none'), closed]
  return [closed]
}

function move(to: AlertStatus, effect: StatusMove['effect']): StatusMove {
  return { to, label: alertStatusLabels[to], effect }
}
