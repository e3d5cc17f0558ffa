import type { Instrument } from '@benchwatch/contract/instruments'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { Fact, FactList, Named } from '../../ui/fact.tsx'
import { linkedClientsQuery } from '../connections/connections.api.ts'
import { NetworkList } from './network-list.tsx'
import styles from './software-card.module.css'

/** UNICORN, the computers that it runs on, and how they are connected to the network. */
export function SoftwareCard({ instrument }: { instrument: Instrument }) {
  const clients = useQuery(linkedClientsQuery(instrument.instrumentInstalledProductId)).data
  return (
    <Card title="Software">
      <div className={styles.groups}>
        <FactList>
          <Fact name="UNICORN version">
            <Named>{instrument.unicornVersion}</Named>
          </Fact>
          <Fact name="Service pack">
            <Named>{instrument.unicornServicePack}</Named>
          </Fact>
          <Fact name="Configuration file">
            <Named>{instrument.unicornInstalledConfigFile}</Named>
          </Fact>
          <Fact name="Windows">
            <Named>{instrument.unicornWinOs}</Named>
          </Fact>
        </FactList>
        <FactList>
          <Fact name="PC name">
            <Named>{instrument.unicornPcName}</Named>
          </Fact>
          <Fact name="PC domain">
            <Named>{instrument.unicornEmbeddedPcDomain}</Named>
          </Fact>
          <Fact name="PC type">
            <Named>{instrument.unicornEmbeddedPcType}</Named>
          </Fact>
          {clients && clients.instrumentServerPcName !== null && (
            <Fact name="Instrument server">
              <Named>{clients.instrumentServerPcName}</Named>
            </Fact>
          )}
          {clients && clients.clientPcNames.length > 0 && (
            <Fact name="Client PCs">
              <Named>{clients.clientPcNames.join(', ')}</Named>
            </Fact>
          )}
        </FactList>
        <NetworkList text={instrument.unicornNetworkConfigurations} />
      </div>
    </Card>
  )
}
