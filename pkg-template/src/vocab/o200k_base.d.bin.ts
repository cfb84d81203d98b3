declare const file: ArrayBuffer;
export default file;
