import type { InstrumentWithEvents } from '@benchwatch/contract/instruments'
import { useQuery } from '@tanstack/react-query'
import { TabCard } from '../../ui/tab-card.tsx'
import { SupportEmailList } from '../support-emails/support-email-list.tsx'
import { featuresQuery } from '../users/users.api.ts'
import styles from './instrument-events.module.css'
import { InstrumentEvents } from './instrument-events.tsx'

export type InstrumentTab = 'events' | 'emails'

/** The open tab as an address tells it; anything else opens the first one. */
export function readInstrumentTab(text: unknown): InstrumentTab {
  return text === 'emails' ? 'emails' : 'events'
}

/** What is open on an instrument, and what its contact is mailed by itself where the person may see that. */
export function InstrumentDetailsTabs(props: {
  instrument: InstrumentWithEvents
  tab: InstrumentTab
  onTab: (tab: InstrumentTab) => void
}) {
  const { instrument } = props
  const features = useQuery(featuresQuery())
  // A link to the e-mails keeps its tab while it is not known whether there is one.
  const hasEmails = features.data?.includes('AUTO_EMAIL') ?? (features.isPending && props.tab === 'emails')
  const emails = {
    value: 'emails',
    name: 'Automated support emails',
    panel: () => <SupportEmailList instrument={instrument} />,
  } as const
  return (
    <TabCard<InstrumentTab>
      label="Events and e-mails"
      value={hasEmails ? props.tab : 'events'}
      onChange={props.onTab}
      tabs={[
        {
          value: 'events',
          name: (
            <>
              Open Service Events <span className={styles.count}>{instrument.eventCount.toLocaleString('en')}</span>
            </>
          ),
          panel: () => <InstrumentEvents instrument={instrument} />,
        },
        ...(hasEmails ? [emails] : []),
      ]}
    />
  )
}
