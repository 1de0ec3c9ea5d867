-- What a person called the file, where that can't be its file name: those are letters, digits, dots, dashes and underscores.
alter table asset add column display_name text;
