files![
    "errors.json",
    "history.json",
    "load.json",
    "memories.json",
    "session-end.json",
    "window.json",
];
