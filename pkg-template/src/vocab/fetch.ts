/** Fetches a vocabulary file that lies beside the code. */
export async function fetchVocabulary(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url} answered ${response.status}`);
  }
  return response.arrayBuffer();
}
