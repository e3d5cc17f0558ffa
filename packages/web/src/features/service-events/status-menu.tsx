import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { Button, Menu } from '@mantine/core'
import { BlockedButton } from '../../ui/blocked-button.tsx'
import { Chevron } from '../../ui/chevron.tsx'
import { mayChangeStatus, type Viewer, whyNotOwner } from './event-owner.ts'
import { StatusBlock } from './status-block.tsx'
import styles from './status-menu.module.css'
import { offeredMoves, type StatusMove } from './status-moves.ts'
import { useCloseDialog } from './use-close-dialog.tsx'
import { useEventActions } from './use-event-actions.ts'

/** The alert-status dropdown. For everybody but the owner it is there and says why it can't be used. */
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
