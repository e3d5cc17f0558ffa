import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { Group } from '@mantine/core'
import { lazy, useRef, useState } from 'react'
import { age } from '../../lib/time/duration.ts'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import { Chevron } from '../../ui/text/chevron.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import { isMonitored } from '../connections/monitoring-note.tsx'
import { OrcStatusBadge } from '../connections/orc-status-badge.tsx'
import {
  currentMaintenance,
  hasStarted,
  type MaintainedInstrument,
  maintenanceBorders,
  maintenanceStateLabels,
} from './current-maintenance.ts'
import { MaintenanceMark } from './maintenance-mark.tsx'
import styles from './orc-status-menu.module.css'

// A list shows a hundred of these, so each row has a native button and loads the menu when the pointer or focus comes
// near.
const loadMenu = () => import('./maintenance-menu.tsx')
const MaintenanceMenu = lazy(() => loadMenu().then((file) => ({ default: file.MaintenanceMenu })))
const loadDialog = () => import('./maintenance-dialog.tsx')
const MaintenanceDialog = lazy(() => loadDialog().then((file) => ({ default: file.MaintenanceDialog })))

/**
 * The ORC status and the maintenance beside it, with how long it has been on below, as a button that opens the
 * maintenance menu. An instrument in onboarding has no menu (document 2 section 2). `onChanged` gets the current and
 * planned maintenance after a change saved here.
 */
export function OrcStatusMenu(props: {
  instrument: MaintainedInstrument
  onChanged: (maintenances: Maintenance[]) => void
}) {
  const { instrument, onChanged } = props
  const { orcStatus, unknownAt, maintenances, instrumentTimeZone } = instrument
  const now = useNow(maintenanceBorders(maintenances))
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<'menu' | 'dialog' | null>(null)
  const current = currentMaintenance(maintenances, now)
  const face = (
    <>
      <OrcStatusBadge status={orcStatus} unknownAt={unknownAt} />{' '}
      {current !== null && hasStarted(current, now) ? (
        <Group component="span" gap={6} c="dimmed" fz="xs" lh="20px" style={{ gridArea: '2 / 1 / 3 / 4' }}>
          <MaintenanceMark maintenances={maintenances} now={now} />
          {/* The name of the button says it already. */}
          <span aria-hidden={orcStatus !== 'Onboarding' || undefined}>
            <ZonedTime at={current.start} siteZone={instrumentTimeZone}>
              {age(current.start, now)}
            </ZonedTime>
          </span>
        </Group>
      ) : (
        <MaintenanceMark maintenances={maintenances} now={now} />
      )}
    </>
  )
  if (orcStatus === 'Onboarding') return <span className={styles.plain}>{face}</span>

  function close() {
    setOpened(null)
    button.current?.focus({ preventScroll: true })
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        data-action="orc-status"
        aria-label={buttonName(instrument, now)}
        aria-haspopup="menu"
        aria-expanded={opened === 'menu'}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={() => setOpened(opened === 'menu' ? null : 'menu')}
      >
        {face}
        <Chevron to="down" />
      </button>
      {opened !== null && (
        <LazyPart onFailure={close}>
          {opened === 'menu' && button.current !== null && (
            <MaintenanceMenu
              anchor={button.current}
              instrument={instrument}
              onClose={close}
              preload={loadDialog}
              onMaintenance={() => setOpened('dialog')}
            />
          )}
          {opened === 'dialog' && <MaintenanceDialog instrument={instrument} onChanged={onChanged} onClose={close} />}
        </LazyPart>
      )}
    </>
  )
}

/** Returns the name of the button. It contains what the button shows, word by word, as speech input needs it. */
function buttonName({ orcStatus, maintenances }: MaintainedInstrument, now: number): string {
  const current = currentMaintenance(maintenances, now)
  const maintenance =
    current &&
    (hasStarted(current, now) ? `${age(current.start, now)} in maintenance` : maintenanceStateLabels.scheduled)
  const monitoring = isMonitored(orcStatus) ? null : 'monitoring unavailable'
  return `ORC status: ${[orcStatus, maintenance, monitoring].filter(Boolean).join(', ')}`
}
