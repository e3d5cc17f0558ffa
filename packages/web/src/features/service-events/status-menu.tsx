import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { CloseEventDialog } from './close-event-dialog.tsx'
import { mayChangeStatus, type Viewer } from './event-owner.ts'
import { StatusBlock } from './status-block.tsx'
import styles from './status-menu.module.css'
import { offeredMoves, type StatusMove } from './status-moves.ts'
import { useEventActions } from './use-event-actions.ts'

/** The alert-status dropdown. For everybody but the owner it is there and says why it can't be used. */
export function StatusMenu({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const [isClosing, setIsClosing] = useState(false)
  const { start, isPending } = useEventActions(viewer)
  const name = alertStatusLabels[event.alertStatus]
  const label = `Status: ${name}`
  const content = (
    <>
      <StatusBlock status={event.alertStatus} />
      <span className={styles.name}>{name} ▾</span>
    </>
  )

  if (!mayChangeStatus(event, viewer))
    return (
      // The wrapper carries the title: a disabled button gets no pointer events of its own.
      <span title="Only the owner may change the status" className={styles.blocked}>
        <Button variant="default" disabled aria-label={label} px="xs">
          {content}
        </Button>
      </span>
    )

  function handleChoice(move: StatusMove) {
    if (move.effect === 'move') void start(event)
    if (move.effect === 'close') setIsClosing(true)
  }

  return (
    <>
      <Menu position="bottom-end" width={160}>
        <Menu.Target>
          <Button variant="default" loading={isPending} aria-label={label} px="xs">
            {content}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offeredMoves(event).map((move) => (
            <Menu.Item key={move.to} onClick={() => handleChoice(move)}>
              {move.effect === 'close' ? 'Closed…' : move.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isClosing && <CloseEventDialog event={event} viewer={viewer} onDone={() => setIsClosing(false)} />}
    </>
  )
}
