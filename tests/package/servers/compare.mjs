/** The cosine similarity of two vectors, computed in the 32 bits that stores keep. */
export function cosine(a, b) {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let at = 0; at < a.length; at += 1) {
    dot += a[at] * b[at];
    lengthA += a[at] * a[at];
    lengthB += b[at] * b[at];
  }
  return dot / Math.sqrt(lengthA * lengthB);
}

/** The nearest of these, best first, as `{ ...entry, score }`. */
export function nearest(entries, vector, limit) {
  return entries
    .map((entry) => ({ ...entry, score: cosine(entry.vector, vector) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
