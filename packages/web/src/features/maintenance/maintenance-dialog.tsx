import type { Maintenance } from '@benchwatch/contract/maintenance'
import { Modal } from '@mantine/core'
import type { MaintainedInstrument } from './current-maintenance.ts'

/** Sets the maintenance of an instrument. */
export function MaintenanceDialog(props: {
  instrument: MaintainedInstrument
  onChanged: (maintenances: Maintenance[]) => void
  onClose: () => void
}) {
  return <Modal opened onClose={props.onClose} title="Maintenance" />
}
