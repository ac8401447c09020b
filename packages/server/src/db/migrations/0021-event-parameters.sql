-- An event needs at least one parameter. Those of the standard categories that had none get an optional one, where nobody
-- has changed them; models of products stay as they are.
update open_function set
  definition = replace(definition, '"output":[]', '"output":[{"identifier":"at","name":"发生时间","dataType":{"type":"long","min":"0","unit":"ms"},"required":false}]'),
  english = replace(english, '"output":[]', '"output":[{"identifier":"at","name":"At","dataType":{"type":"long","min":"0","unit":"ms"},"required":false}]')
where function_id in (
  'std-water-leak-leakCleared', 'std-electricity-meter-powerLoss', 'std-door-lock-tampered', 'std-camera-storageFull'
) and function_type = 22 and definition like '%"output":[]%';
