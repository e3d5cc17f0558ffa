import { severities, severityLabels } from '@benchwatch/contract/vocabulary'
import { SeverityShape } from '../service-events/severity-shape.tsx'
import styles from './map-legend.module.css'

const steps = [
  { step: 1, words: '1–9' },
  { step: 2, words: '10–99' },
  { step: 3, words: '100+' },
] as const

/** What marks and shades mean. Marks count all events that were found; countries only those that are open. */
export function MapLegend(props: { showsCountries: boolean; areCountriesKnown: boolean }) {
  return (
    <dl className={styles.legend}>
      <div>
        <dt>Worst severity</dt>
        <dd>
          {severities.map((severity) => (
            <span key={severity} className={styles.severity} data-severity={severity}>
              <SeverityShape severity={severity} size={10} />
              <span>{severityLabels[severity]}</span>
            </span>
          ))}
        </dd>
      </div>
      {props.showsCountries && (
        <div data-waiting={!props.areCountriesKnown || undefined}>
          <dt>Open events</dt>
          <dd>
            {steps.map(({ step, words }) => (
              <span key={step} className={styles.shade} data-step={step}>
                {words}
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}
