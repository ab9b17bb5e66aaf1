export async function playPlanted(_seed: number): Promise<boolean> {
  return true
}
