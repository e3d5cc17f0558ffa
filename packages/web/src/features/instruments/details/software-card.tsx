import type { Instrument } from '@benchwatch/contract/instruments'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../ui/layout/card.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Dash, Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { linkedClientsQuery } from '../../connections/connections.api.ts'
import { readNetworkConfigurations } from './network-configurations.ts'
import styles from './software-card.module.css'

/** Shows the UNICORN software, its computers and their network connections. */
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

/** Lists the network connections of the instrument's computer. Unreadable text is shown as it was sent. */
function NetworkList({ text }: { text: string | null }) {
  const configurations = readNetworkConfigurations(text)
  return (
    <section className={styles.networks} aria-label="Network configurations">
      <h3 className={styles.title}>
        Network configurations
        {configurations.kind === 'unreadable' && (
          <CopyButton text={configurations.text} label="Copy network configurations" />
        )}
      </h3>
      {configurations.kind === 'none' && <p className={styles.note}>Not reported.</p>}
      {configurations.kind === 'unreadable' && (
        <>
          <p className={styles.note}>The instrument sent an unreadable list:</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrolled by keys, too */}
          <pre className={styles.raw} tabIndex={0} role="region" aria-label="Network configurations as received">
            {configurations.text}
          </pre>
        </>
      )}
      {configurations.kind === 'list' && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">IP address</th>
              <th scope="col">DHCP</th>
            </tr>
          </thead>
          <tbody>
            {configurations.networks.map(({ name, ip, dhcpEnabled }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list is replaced as a whole.
              <tr key={place}>
                <td>
                  <Named>{name}</Named>
                </td>
                <td>
                  <Named>{ip}</Named>
                </td>
                <td>{dhcpEnabled === null ? <Dash /> : dhcpEnabled ? 'On' : 'Off'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
