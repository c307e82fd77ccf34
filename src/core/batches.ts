// Repeats work that is too much for one statement or transaction, batch by batch, until nothing is left.

/** Repeats `step`, which handles at most `most` items and returns how many, until it returns fewer; returns the total. */
export async function inBatches(most: number, step: (most: number) => Promise<number>): Promise<number> {
  for (let all = 0; ; ) {
    const done = await step(most)
    all += done
    if (done < most) return all
  }
}
