import type { BenchData } from './bench-data.ts'
export async function printPlans(_data: BenchData, _dataDir: string): Promise<void> {}
