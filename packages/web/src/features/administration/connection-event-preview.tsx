import type { ConnectionTemplate } from '@benchwatch/contract/connections'
import { fillPlaceholders } from '@benchwatch/contract/placeholders'
import { Card } from '../../ui/card.tsx'
import { Fact, FactList } from '../../ui/fact.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { SeverityBadge } from '../service-events/severity-badge.tsx'
import { type ConnectionDraft, connectionKindWords, connectionLabels } from './connection-draft.ts'
import styles from './connection-template.module.css'

/** The event that the texts in the form would make, filled in as the server fills them in. */
export function ConnectionEventPreview({
  template: { kind, example },
  draft,
}: {
  template: ConnectionTemplate
  draft: ConnectionDraft
}) {
  const { values, invented } = example
  const filled = (text: string) => fillPlaceholders(text, values).trim()
  return (
    <Card
      title={`Preview: ${connectionKindWords[kind].title.toLowerCase()}`}
      end={<SeverityBadge severity={draft.severity} />}
    >
      <FactList>
        <Fact name={connectionLabels.description}>{textOf(filled(draft.description))}</Fact>
        <Fact name={connectionLabels.userMessage}>{textOf(filled(draft.userMessage))}</Fact>
        <Fact name="Gateway">{values.gateway}</Fact>
        {kind === 'OFFLINE' && <Fact name="Instrument">{values.instrument}</Fact>}
      </FactList>
      <p className={styles.about}>
        {invented
          ? 'With invented names: nothing of this kind is registered yet.'
          : `With the names of a real ${kind === 'OFFLINE' ? 'instrument' : 'gateway'}; nothing is wrong with it.`}
      </p>
    </Card>
  )
}

function textOf(text: string) {
  return text === '' ? null : <LongText text={text} />
}
