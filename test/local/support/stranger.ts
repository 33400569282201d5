console.log('here');
setInterval(() => undefined, 1_000);
