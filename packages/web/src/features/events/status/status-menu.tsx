import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { type AlertStatus, alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { Button, Menu } from '@mantine/core'
import { BlockedButton } from '../../../ui/overlay/blocked-button.tsx'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { useCloseDialog } from '../close/use-close-dialog.tsx'
import { mayChangeStatus, type Viewer, whyNotOwner } from '../owner/event-owner.ts'
import { useEventActions } from '../use-event-actions.ts'
import { StatusBlock } from './status-block.tsx'
import styles from './status-menu.module.css'

/**
 * Statuses that the dropdown offers: document 1 section 4. New only while New, without effect; In progress only from
 * New; Closed always, through the dialog.
 */
interface StatusMove {
  to: AlertStatus
  label: string
  /** `none`: the current status. `move`: sent at once. `close`: opens the close dialog. */
  effect: 'none' | 'move' | 'close'
}

/** The alert-status dropdown. For users other than the owner it is blocked and says why. */
export function StatusMenu({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const { start, isPending } = useEventActions(viewer)
  const { open, dialog } = useCloseDialog(event, viewer)
  const name = alertStatusLabels[event.alertStatus]
  const label = `Status: ${name}`
  const face = (
    <>
      <StatusBlock status={event.alertStatus} />
      <span className={styles.name}>{name}</span>
    </>
  )

  if (!mayChangeStatus(event, viewer))
    return (
      <>
        <BlockedButton reason={whyNotOwner(event, { viewer, act: 'change the status' })} label={label}>
          {face}
        </BlockedButton>
        {dialog}
      </>
    )

  function handleChoice(move: StatusMove) {
    if (move.effect === 'move' && !isPending) void start(event)
    if (move.effect === 'close') open()
  }

  return (
    <>
      <Menu position="bottom-start" width={160} withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" aria-busy={isPending} aria-label={label} px="xs">
            {face}
            <Chevron to="down" className={styles.arrow} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offeredMoves(event).map((move) => (
            <Menu.Item
              key={move.to}
              leftSection={
                <span aria-hidden="true">
                  <StatusBlock status={move.to} />
                </span>
              }
              onClick={() => handleChoice(move)}
            >
              {move.effect === 'close' ? 'Closed…' : move.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
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
