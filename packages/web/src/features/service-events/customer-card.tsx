import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { formatEventDate } from '../../lib/dates.ts'
import { Card } from '../../ui/card.tsx'
import { EmailLink, PhoneLink } from '../../ui/contact-line.tsx'
import { Deadline } from '../../ui/deadline.tsx'
import { Dash, Fact, FactList, Named } from '../../ui/fact.tsx'
import styles from './customer-card.module.css'
import { slaWords } from './event-text.ts'
import { siteAddress } from './site-address.ts'

/** Whose instrument it is, what the contract promises, and whom to call: document 1 sections 2 and 5. */
export function CustomerCard({ event }: { event: ServiceEvent }) {
  return (
    <Card title="Customer">
      <div className={styles.groups}>
        <FactList>
          <Fact name="Customer">
            <Named>{event.enterpriseName}</Named>
          </Fact>
          <Fact name="Address">
            {siteAddress(event).map((line) => (
              <div key={line}>
                <bdi>{line}</bdi>
              </div>
            ))}
          </Fact>
          <Fact name="Contract type">
            <Named>{event.cpType}</Named>
          </Fact>
          <Fact name="Contract SLA">
            <ContractSla event={event} />
          </Fact>
          <Fact name="Contract expiry">
            {event.cpEndDate !== null && (
              <Deadline day={event.cpEndDate} text={formatEventDate(event.cpEndDate)} pastWord="expired" />
            )}
          </Fact>
          <Fact name="Last service">{dateOrNull(event.instrumentLastService)}</Fact>
          <Fact name="Last maintenance">{dateOrNull(event.instrumentLastMaintenance)}</Fact>
        </FactList>
        <FactList>
          <Fact name="Contact">
            <Named>{event.contactName}</Named>
          </Fact>
          <Fact name="Phone">
            <PhoneLink number={event.contactPhone} country={event.siteCountry} />
          </Fact>
          <Fact name="Mobile">
            <PhoneLink number={event.contactMobile} country={event.siteCountry} />
          </Fact>
          <Fact name="E-mail">
            <EmailLink address={event.contactEmail} />
          </Fact>
          <Fact name="IT contact">
            <Named>{event.itContactName}</Named>
          </Fact>
          <Fact name="IT e-mail">
            <EmailLink address={event.itContactEmail} />
          </Fact>
        </FactList>
      </div>
    </Card>
  )
}

/** The term, 'Tier 1' appended, and the mark of a 24-hour contract. */
function ContractSla({ event }: { event: ServiceEvent }) {
  const sla = slaWords(event)
  if (sla === null && !event.fullSupport) return <Dash />
  return (
    <>
      {sla !== null && <bdi>{sla}</bdi>} {event.fullSupport && <span className={styles.support}>24 h</span>}
    </>
  )
}

function dateOrNull(date: string | null): string | null {
  return date === null ? null : formatEventDate(date)
}
