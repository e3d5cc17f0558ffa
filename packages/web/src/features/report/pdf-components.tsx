import type { ComponentMetric } from '@benchwatch/contract/usage'
import { Text, View } from '@react-pdf/renderer'
import { usageBar } from '../usage/usage-judgement.ts'
import { usageSigns } from './paper.ts'
import { PdfSign } from './pdf-sign.tsx'
import { styles } from './pdf-styles.ts'
import type { ReportComponent } from './report-model.ts'

/** Each component with its counters and what else is known of it; one is never cut by the end of a page. */
export function PdfComponents({ components }: { components: readonly ReportComponent[] }) {
  return components.map(({ name, module, counters, facts }) => (
    <View key={`${name} ${module}`} style={styles.component} wrap={false}>
      <Text>
        <Text style={styles.strong}>{name}</Text>
        {module !== null && <Text style={styles.small}> {module}</Text>}
      </Text>
      {counters.map(({ metric, word, amount, verdict }) => (
        <View key={metric.metric} style={styles.counter}>
          <Text style={styles.metric}>{metric.metric}</Text>
          <Bar metric={metric} />
          <Text style={styles.amount}>
            {amount}
            {verdict !== null && <Text style={styles.small}> {verdict}</Text>}
          </Text>
          <View style={styles.word}>
            <PdfSign sign={usageSigns[metric.usageColor]} style={styles.sign} />
            <Text style={styles.shrinking}>{word}</Text>
          </View>
        </View>
      ))}
      {facts.length > 0 && (
        <View style={styles.smallFacts}>
          {facts.map((fact) => (
            <Text key={fact.name}>
              <Text style={styles.quiet}>{fact.name} </Text>
              {fact.value ?? '–'}
            </Text>
          ))}
        </View>
      )}
    </View>
  ))
}

function Bar({ metric }: { metric: ComponentMetric }) {
  const bar = usageBar(metric)
  const { colour: backgroundColor } = usageSigns[metric.usageColor]
  switch (bar.kind) {
    case 'share':
      return (
        <View style={styles.track}>
          <View style={{ width: `${bar.width}%`, height: '100%', backgroundColor }} />
        </View>
      )
    case 'steps':
      return (
        <View style={styles.steps}>
          {[1, 2, 3].map((step) => (
            <View key={step} style={step <= bar.step ? [styles.step, { backgroundColor }] : styles.step} />
          ))}
        </View>
      )
    case 'none':
      return <View style={styles.track} />
  }
}
