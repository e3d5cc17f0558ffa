import { CopyButton } from '../../ui/copy-button.tsx'
import { Dash, Named } from '../../ui/fact.tsx'
import { readNetworkConfigurations } from './network-configurations.ts'
import styles from './network-list.module.css'

/** The network connections that the instrument's computer told of; what can't be read stands there as it was sent. */
export function NetworkList({ text }: { text: string | null }) {
  const configurations = readNetworkConfigurations(text)
  return (
    <section className={styles.networks} aria-label="Network configurations">
      <h3 className={styles.title}>
        Network configurations
        {configurations.kind === 'unreadable' && (
          <CopyButton text={configurations.text} label="Copy network configurations" />
        )}
      </h3>
      {configurations.kind === 'none' && <p className={styles.note}>The instrument told of none.</p>}
      {configurations.kind === 'unreadable' && (
        <>
          <p className={styles.note}>What the instrument sent is not a list that can be read. As it came:</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be scrolled by keys, too */}
          <pre className={styles.raw} tabIndex={0} role="region" aria-label="Network configurations as they came">
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
