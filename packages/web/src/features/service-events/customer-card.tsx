import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { formatEventDate } from '../../lib/dates.ts'
import { EmailLink } from './contact-line.tsx'
import styles from './event-details.module.css'
import { Fact } from './fact.tsx'
import { siteAddress } from './site-address.ts'

/** Whose instrument it is, what the contract promises, and whom to call. Empty values show a dash. */
export function CustomerCard({ event }: { event: ServiceEvent }) {
  const sla = [event.cpSLATerm, event.tierOne ? 'Tier 1' : null].filter(Boolean).join(' · ')
  return (
    <section className={styles.card} aria-labelledby="customer-title">
      <h2 id="customer-title">Customer</h2>
      <dl className={styles.facts}>
        <Fact name="Customer">{event.enterpriseName}</Fact>
        <Fact name="Address">
          {siteAddress(event).map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Fact>
        <Fact name="Contract type">{event.cpType}</Fact>
        <Fact name="Contract SLA">
          {(sla !== '' || event.fullSupport) && (
            <>
              {sla} {event.fullSupport && <span className={styles.support}>24 h</span>}
            </>
          )}
        </Fact>
        <Fact name="Contract expiry">{dateOrNull(event.cpEndDate)}</Fact>
        <Fact name="Last service">{dateOrNull(event.instrumentLastService)}</Fact>
        <Fact name="Last maintenance">{dateOrNull(event.instrumentLastMaintenance)}</Fact>
        <Fact name="Contact">{event.contactName}</Fact>
        <Fact name="Phone">{event.contactPhone}</Fact>
        <Fact name="Mobile">{event.contactMobile}</Fact>
        <Fact name="E-mail">
          <EmailLink address={event.contactEmail} />
        </Fact>
        <Fact name="IT contact">{event.itContactName}</Fact>
        <Fact name="IT e-mail">
          <EmailLink address={event.itContactEmail} />
        </Fact>
      </dl>
    </section>
  )
}

function dateOrNull(date: string | null): string | null {
  return date === null ? null : formatEventDate(date)
}
