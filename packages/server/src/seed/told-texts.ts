import type { SeededRandom } from '@benchwatch/samples/seeded-random'

interface Texts {
  description: string
  userMessage: string | null
}

/** What the control software says in the language of a laboratory where it is set to it: "check it, note it, go on". */
const localMessages: Readonly<Record<string, string>> = {
  'konan-seiyaku': '装置が異常を報告しました。現場で確認し、記録してから運転を再開してください。',
  'yunling-biopharma': '设备报告异常。请现场检查并记录后再继续运行。',
  'delta-bioprocess': 'أبلغ الجهاز عن خلل. افحصه في الموقع وسجّل الملاحظة قبل متابعة التشغيل.',
}
const LOCAL = 0.3

/** Now and then an instrument sends along all that its controller saw: some 2,000 characters. */
const VERBOSE = 0.004
const READINGS = 44

/** The texts of an event as this laboratory's instruments send them. */
export function toldTexts(
  { description, userMessage }: Texts,
  { customerKey, random }: { customerKey: string; random: SeededRandom },
): Texts {
  const local = localMessages[customerKey]
  const isLocal = local !== undefined && random.chance(LOCAL)
  return {
    description: random.chance(VERBOSE) ? `${description} ${readings(random)}` : description,
    userMessage: isLocal ? local : userMessage,
  }
}

function readings(random: SeededRandom): string {
  const lines = Array.from({ length: READINGS }, (_, index) => {
    const pressure = random.between(0.2, 6.4).toFixed(2)
    return `t-${String(READINGS - index).padStart(2, '0')} s: ${pressure} MPa, ${random.between(0, 150).toFixed(1)} mL/min`
  })
  return `Controller readings before the event: ${lines.join('; ')}.`
}
