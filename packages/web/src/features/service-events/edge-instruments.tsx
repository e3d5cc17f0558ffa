import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../lib/counted.ts'
import table from '../../ui/list-table.module.css'
import { edgeGatewayQuery } from '../connections/connections.api.ts'

/** In place of an instrument: how many stand behind the gateway that fell silent; its name until that is known. */
export function EdgeInstruments({ event }: { event: ServiceEvent }) {
  const { data: gateway } = useQuery(edgeGatewayQuery(event.instrumentInstalledProductId))
  const count = gateway?.instrumentIpids.length
  const words = count === undefined ? null : counted(count, 'instrument')
  const name = event.gatewayName ?? gateway?.name ?? event.instrumentInstalledProductId
  return (
    <span className={table.text} title={words === null ? name : `${words} behind ${name}`} dir="auto">
      {words ?? name}
    </span>
  )
}
